/** Warnings of orders, so that each is read once, with the orders that have it. */

export interface NumberedTexts {
  readonly number: number;
  readonly texts: readonly string[];
}

export interface SharedText {
  readonly text: string;
  /** The numbers of the orders, ascending. */
  readonly numbers: readonly number[];
}

/** Returns the texts that at least `least` orders have, in the order of their first appearance. */
export function findSharedTexts(orders: readonly NumberedTexts[], least = 2): readonly SharedText[] {
  const numbers = new Map<string, number[]>();
  for (const { number, texts } of orders)
    for (const text of new Set(texts)) numbers.set(text, [...(numbers.get(text) ?? []), number]);
  return [...numbers]
    .filter(([, list]) => list.length >= least)
    .map(([text, list]) => ({
      text,
      numbers: list.toSorted((a, b) => a - b),
    }));
}

/** `Orders 1, 2 and 5: The market is closed.`, `Order 4: …`, or `All orders: …`; of the only order, the text alone. */
export function describeSharedText({ text, numbers }: SharedText, count: number): string {
  if (count === 1) return text;
  return `${numbers.length === count ? 'All orders' : nameOrders(numbers)}: ${text}`;
}

/** `Order 4`, or `Orders 1, 2 and 5`. */
export const nameOrders = (numbers: readonly number[]): string =>
  numbers.length === 1 ? `Order ${numbers[0]}` : `Orders ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;

export interface SeparatedTexts {
  /** What several orders share, with their numbers. */
  readonly shared: readonly string[];
  /** By order, what only this one has. */
  readonly own: readonly (readonly string[])[];
}

/** Separates the texts of orders 1, 2 and so on, so that each text is said once. */
export function separateShared(texts: readonly (readonly string[])[]): SeparatedTexts {
  const shared = findSharedTexts(texts.map((list, index) => ({ number: index + 1, texts: list })));
  const isShared = new Set(shared.map(({ text }) => text));
  return {
    shared: shared.map((one) => describeSharedText(one, texts.length)),
    own: texts.map((list) => list.filter((text) => !isShared.has(text))),
  };
}
