/**
 * The browser interfaces that the views use. Declared here because the rest of the program runs without a browser, so
 * its types have none.
 */

export interface Message {
  readonly data: unknown;
  readonly source: unknown;
}

/** An exception that nothing caught. Without an error the event is a remark of the browser, such as a late resize. */
export interface ErrorReport {
  readonly error: unknown;
}

export interface Rejection {
  readonly reason: unknown;
}

export interface Click {
  readonly target: unknown;
  /** False for a click that a script made. */
  readonly isTrusted: boolean;
  preventDefault(): void;
}

export interface Element {
  innerHTML: string;
  textContent: string | null;
  hidden: boolean;
  readonly dataset: Record<string, string | undefined>;
  readonly id: string;
  getBoundingClientRect(): { readonly height: number };
}

export interface Browser {
  /** Read on each use, because a host may have replaced it. */
  readonly parent: { postMessage(message: unknown, target: string): void };
  addEventListener(type: 'message', listener: (event: Message) => void): void;
  addEventListener(type: 'error', listener: (event: ErrorReport) => void): void;
  addEventListener(type: 'click', listener: (event: Click) => void): void;
  addEventListener(type: 'unhandledrejection', listener: (event: Rejection) => void): void;
  readonly document: {
    readonly title: string;
    readonly documentElement: Element;
    getElementById(id: string): Element | null;
    /** Copies the selection, where a frame may not use the clipboard itself. */
    execCommand(name: 'copy'): boolean;
  };
  getSelection(): { selectAllChildren(element: Element): void } | null;
  readonly ResizeObserver: new (onResize: () => void) => { observe(element: Element): void };
}

export const browser = globalThis as unknown as Browser;
