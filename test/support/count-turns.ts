/** The result of the work, and the turns of the event loop that other work had meanwhile. */
export async function countTurns<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly turns: number; readonly result: Result }> {
  let turns = 0;
  let isRunning = true;
  const turn = () => {
    turns++;
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    return { result: await work(), turns };
  } finally {
    isRunning = false;
  }
}
