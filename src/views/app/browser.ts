/**
 * What the views use of a browser, and no more: the program around them runs without one, so its types do
 * not know it.
 */

export interface Message {
  readonly data: unknown;
  readonly source: unknown;
}

export interface Element {
  innerHTML: string;
  textContent: string | null;
  readonly dataset: Record<string, string | undefined>;
  getBoundingClientRect(): { readonly height: number };
}

export interface Browser {
  /** Read each time it is used: a host may have wrapped it. */
  readonly parent: { postMessage(message: unknown, target: string): void };
  addEventListener(type: 'message', listener: (event: Message) => void): void;
  readonly document: { readonly documentElement: Element; getElementById(id: string): Element | null };
  readonly ResizeObserver: new (onResize: () => void) => { observe(element: Element): void };
}

export const browser = globalThis as unknown as Browser;
