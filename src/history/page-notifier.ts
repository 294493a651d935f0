/** Word of a page that has arrived, for those who wait for it in this process; other processes look by themselves. */
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
