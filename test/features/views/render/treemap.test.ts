/** The treemap as geometry: areas in proportion, nothing overlaps, nothing is outside. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { squarify, type Tile } from '../../../../src/features/views/render/draw-allocation.ts';
import { runs } from '../../../support/runs.ts';

const area = (tile: Tile) => tile.width * tile.height;

const overlap = (a: Tile, b: Tile) =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

const values = fc.array(fc.double({ min: 0.01, max: 1_000_000, noNaN: true }), { minLength: 1, maxLength: 60 });
const side = fc.integer({ min: 100, max: 1200 });

describe('squarified tiles', () => {
  test('the example of the paper: 6, 6, 4, 3, 2, 2, 1 in 6 by 4', () => {
    // Bruls, Huizing, van Wijk 2000, figure 4: two columns of 3 by 2 first, then 4 and 3 side by side above the rest.
    const tiles = squarify([6, 6, 4, 3, 2, 2, 1], 6, 4);
    const rounded = tiles.map(({ x, y, width, height }) => [x, y, width, height].map((n) => Math.round(n * 100) / 100));
    expect(rounded.slice(0, 4)).toEqual([
      [0, 0, 3, 2],
      [0, 2, 3, 2],
      [3, 0, 1.71, 2.33],
      [4.71, 0, 1.29, 2.33],
    ]);
  });

  test('one value fills the area', () => {
    expect(squarify([3], 300, 200)).toEqual([{ x: 0, y: 0, width: 300, height: 200 }]);
  });

  test('areas are in proportion within 1 %, all inside, and nothing overlaps', () => {
    fc.assert(
      fc.property(values, side, side, (sizes, width, height) => {
        const tiles = squarify(sizes, width, height);
        const total = sizes.reduce((sum, size) => sum + size, 0);
        expect(tiles).toHaveLength(sizes.length);
        for (const [index, tile] of tiles.entries()) {
          const wanted = ((sizes[index] as number) / total) * width * height;
          expect(Math.abs(area(tile) - wanted)).toBeLessThanOrEqual(wanted * 0.01);
          expect(Math.min(tile.x, tile.y, tile.width, tile.height)).toBeGreaterThanOrEqual(-1e-6);
          expect(tile.x + tile.width).toBeLessThanOrEqual(width + 1e-6);
          expect(tile.y + tile.height).toBeLessThanOrEqual(height + 1e-6);
          for (const other of tiles.slice(0, index))
            expect(overlap(tile, other)).toBeLessThanOrEqual(1e-6 * width * height);
        }
      }),
      { numRuns: runs(200), examples: [[[0.017045437725066177, 262144.00000000006], 974, 974]] },
    );
  });

  test('a tile that is ten million times smaller than its neighbour stays inside', () => {
    for (const tile of squarify([0.017045437725066177, 262144.00000000006], 974, 974)) {
      expect(tile.x + tile.width).toBeLessThanOrEqual(974);
      expect(tile.y + tile.height).toBeLessThanOrEqual(974);
    }
  });

  test('five hundred equal values are close to squares', () => {
    const tiles = squarify(new Array(500).fill(1), 680, 394);
    const ratios = tiles.map(({ width, height }) => Math.max(width / height, height / width));
    expect(Math.max(...ratios)).toBeLessThan(2);
    expect(tiles.reduce((sum, tile) => sum + area(tile), 0)).toBeCloseTo(680 * 394, 3);
  });

  test('the order of the values does not change their areas', () => {
    const [small, large] = squarify([1, 9], 100, 100) as [Tile, Tile];
    expect(area(small)).toBeCloseTo(1000);
    expect(area(large)).toBeCloseTo(9000);
  });
});
