import { cleanText as cleanLine } from '../clean-text.ts';

export { cleanDeep } from '../clean-text.ts';

/** One line of at most 1,000 characters; empty when nothing of the text can be seen. */
export const cleanText = (text: string): string => cleanLine(text, 1_000) ?? '';
