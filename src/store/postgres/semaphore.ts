/** Work in turns, so many at a time: whoever waits here waits for nothing else, and no patience of a connection runs out meanwhile. */
export function createLanes(width: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let free = width;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The place is handed on, not given back: nobody who comes meanwhile may take it.
      if (next) next();
      else free++;
    }
  };
}
