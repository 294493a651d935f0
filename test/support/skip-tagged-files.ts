/** Leaves out the files whose every test a filter such as `--tagsFilter=!server` excludes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vitest/config';

const excluded = /^!([\w-]+)$/;
const moduleTag = /^\/\/ @module-tag ([\w-]+)$/gm;

/** Vitest would import such a file, with all that it needs, only to skip its tests. */
export const skipTaggedFiles = (): Plugin => ({
  name: 'skip-tagged-files',
  configureVitest: ({ vitest, project }) => {
    const filters = vitest.config.tagsFilter ?? [];
    const tags = new Set(filters.map((filter) => excluded.exec(filter)?.[1]));
    if (tags.size === 0) return;
    const { root } = project.config;
    for (const path of readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.test.ts')) continue;
      const text = readFileSync(join(root, 'test', path), 'utf8');
      if (tagsOf(text).some((tag) => tags.has(tag))) project.config.exclude.push(`test/${path}`);
    }
  },
});

/** The tags of every test in a file, from its text. */
export const tagsOf = (text: string): string[] => [...text.matchAll(moduleTag)].map(([, tag = '']) => tag);
