/** Notifies waiters in this process that a history page was stored; other processes poll. */
export interface Notifier {
  next(): { readonly told: Promise<void>; leave(): void };
  tell(): void;
}

export function createNotifier(): Notifier {
  const waiting = new Set<() => void>();
  return {
    next: () => {
      let leave = () => {};
      const told = new Promise<void>((resolve) => {
        waiting.add(resolve);
        leave = () => waiting.delete(resolve);
      });
      return { told, leave };
    },
    tell: () => {
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
  };
}
