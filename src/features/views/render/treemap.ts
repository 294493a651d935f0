/** A squarified treemap (Bruls, Huizing, van Wijk 2000): areas in proportion, tiles as square as possible. */
import { type HierarchyRectangularNode, treemapSquarify } from 'd3-hierarchy';

export interface Tile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns one tile per value, in the order of the values. Together they fill `width` × `height`. All values must be
 * above 0.
 */
export function squarify(values: readonly number[], width: number, height: number): readonly Tile[] {
  const nodes = values.map((value) => ({ value, x0: 0, y0: 0, x1: 0, y1: 0 }));
  const root = {
    value: values.reduce((sum, value) => sum + value, 0),
    // Largest first, because the algorithm makes square tiles only in that order.
    children: [...nodes].sort((a, b) => b.value - a.value),
  };
  // d3's algorithm reads only these fields; with d3's own tree the view would be 4 kB larger.
  treemapSquarify.ratio(1)(root as HierarchyRectangularNode<unknown>, 0, 0, width, height);
  // Clamps: rounding lets the last row of very unequal values exceed the border by a billionth of its length.
  return nodes.map(({ x0, y0, x1, y1 }) => ({
    x: x0,
    y: y0,
    width: Math.min(x1, width) - x0,
    height: Math.min(y1, height) - y0,
  }));
}
