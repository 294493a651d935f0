/** A squarified treemap (Bruls, Huizing, van Wijk 2000): areas in proportion, tiles as square as they can be. */

export interface Tile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * One tile for each value, in the order of the values. Together they fill `width` × `height`.
 * All values must be above 0.
 */
export function squarify(values: readonly number[], width: number, height: number): readonly Tile[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  const areas = values.map((value) => (value / total) * width * height);
  // Largest first: that is what keeps the tiles square.
  const order = areas.map((_, index) => index).sort((a, b) => at(areas, b) - at(areas, a));
  const tiles: Tile[] = new Array(values.length);
  let rest: Tile = { x: 0, y: 0, width, height };
  let from = 0;
  while (from < order.length) {
    const side = Math.min(rest.width, rest.height);
    let to = from + 1;
    let sum = at(areas, at(order, from));
    let worst = worstRatio(sum, sum, sum, side);
    // A row grows as long as its worst tile gets squarer.
    while (to < order.length) {
      const next = at(areas, at(order, to));
      const ratio = worstRatio(at(areas, at(order, from)), next, sum + next, side);
      if (ratio > worst) break;
      worst = ratio;
      sum += next;
      to++;
    }
    const row = order.slice(from, to);
    rest = layRow(row, areas, sum, rest, tiles, to === order.length);
    from = to;
  }
  return tiles;
}

/** Of a row that lies along `side`: how far its flattest tile is from a square. */
function worstRatio(largest: number, smallest: number, sum: number, side: number): number {
  const squared = side * side;
  return Math.max((squared * largest) / (sum * sum), (sum * sum) / (squared * smallest));
}

/** Puts a row along the shorter side and gives what is left. */
function layRow(
  row: readonly number[],
  areas: readonly number[],
  sum: number,
  rest: Tile,
  tiles: Tile[],
  isLast: boolean,
): Tile {
  const isUpright = rest.width >= rest.height;
  const side = isUpright ? rest.height : rest.width;
  // The last row takes what rounding has left.
  const depth = isLast ? (isUpright ? rest.width : rest.height) : sum / side;
  let along = 0;
  for (const index of row) {
    const length = (at(areas, index) / sum) * side;
    tiles[index] = isUpright
      ? { x: rest.x, y: rest.y + along, width: depth, height: length }
      : { x: rest.x + along, y: rest.y, width: length, height: depth };
    along += length;
  }
  return isUpright
    ? { ...rest, x: rest.x + depth, width: rest.width - depth }
    : { ...rest, y: rest.y + depth, height: rest.height - depth };
}

const at = (list: readonly number[], index: number): number => list[index] as number;
