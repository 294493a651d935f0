/** Notifies waiters in this process that a history page was stored; other processes poll. */
export interface Notifier {
  nextPage(): { readonly stored: Promise<void>; cancel(): void };
  notify(): void;
}

export function createNotifier(): Notifier {
  const waiting = new Set<() => void>();
  return {
    nextPage: () => {
      let cancel = () => {};
      const stored = new Promise<void>((resolve) => {
        waiting.add(resolve);
        cancel = () => waiting.delete(resolve);
      });
      return { stored, cancel };
    },
    notify: () => {
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
  };
}
