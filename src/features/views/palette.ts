/**
 * The colours. Gain is blue and loss orange, which people with common colour blindness can distinguish; sign and text
 * show both as well. They are data, so that a test can measure their contrast.
 */

export type Palette = Readonly<Record<string, string>>;

/** `…-on` is the colour of text on that colour. */
export const light: Palette = {
  paper: '#ffffff',
  card: '#f4f5f7',
  ink: '#15181c',
  soft: '#555d68',
  line: '#d5d9e0',
  gain: '#1d5fa6',
  loss: '#a8490a',
  care: '#fff2d2',
  'care-on': '#4f3500',
  'care-line': '#c48a0e',
  good: '#1c6b3a',
  'good-on': '#ffffff',
  bad: '#b3261e',
  'bad-on': '#ffffff',
  refused: '#fbe8e6',
  mark: '#2f5d62',
  'mark-on': '#ffffff',
  'up-3': '#1d5fa6',
  'up-3-on': '#ffffff',
  'up-2': '#7fb2e0',
  'up-2-on': '#15181c',
  'up-1': '#cfe3f6',
  'up-1-on': '#15181c',
  even: '#e2e5ea',
  'even-on': '#15181c',
  'down-1': '#fbddbf',
  'down-1-on': '#15181c',
  'down-2': '#f0a45a',
  'down-2-on': '#15181c',
  'down-3': '#a8490a',
  'down-3-on': '#ffffff',
};

export const dark: Palette = {
  paper: '#14171b',
  card: '#1e2329',
  ink: '#eef1f5',
  soft: '#a9b2be',
  line: '#3a424d',
  gain: '#7db8f0',
  loss: '#f3a55f',
  care: '#33270c',
  'care-on': '#ffe3a3',
  'care-line': '#c89a3a',
  good: '#1f6b3d',
  'good-on': '#ffffff',
  bad: '#f2b8b5',
  'bad-on': '#410e0b',
  refused: '#43201f',
  mark: '#2c5c62',
  'mark-on': '#ffffff',
  'up-3': '#8cc4f5',
  'up-3-on': '#101317',
  'up-2': '#2a66a5',
  'up-2-on': '#ffffff',
  'up-1': '#1a4168',
  'up-1-on': '#eef1f5',
  even: '#343b45',
  'even-on': '#eef1f5',
  'down-1': '#653c0b',
  'down-1-on': '#eef1f5',
  'down-2': '#9a4f10',
  'down-2-on': '#ffffff',
  'down-3': '#f7ad66',
  'down-3-on': '#101317',
};

/** The diverging scale, from the greatest loss to the greatest gain. */
export const divergingScale = ['down-3', 'down-2', 'down-1', 'even', 'up-1', 'up-2', 'up-3'] as const;
export type Tone = (typeof divergingScale)[number];
