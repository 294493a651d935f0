/** The skills, read through a client. */
// @module-tag server
import { expect, test } from 'vitest';
import * as z from 'zod';
import { toolsets } from '../../src/config.ts';
import { tools } from '../../src/mcp/registry.ts';
import { type Setup, setup } from '../support/setup.ts';

const listing = z.object({
  skills: z.array(z.object({ uri: z.string(), frontmatter: z.object({ name: z.string(), description: z.string() }) })),
});

const listSkills = async ({ client }: Setup) =>
  ((await client.request({ method: 'skills/list', params: {} } as never, listing as never)) as z.output<typeof listing>)
    .skills;

const readText = async ({ client }: Setup, uri: string): Promise<string> => {
  const { contents } = await client.readResource({ uri });
  return (contents[0] as { text: string }).text;
};

test('there is a skill for questions, for drafts and for a tax return, and each names existing tools only', async () => {
  const made = await setup();
  const skills = await listSkills(made);
  expect(skills.map(({ frontmatter }) => frontmatter.name).sort()).toEqual([
    'draft-orders',
    'portfolio-questions',
    'uk-tax-return',
  ]);
  const names = new Set(tools.map(({ name }) => name));
  for (const { uri, frontmatter } of skills) {
    const text = await readText(made, uri);
    expect(text).toContain(`name: ${frontmatter.name}`);
    const named = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name = '']) => name);
    expect(named.length, frontmatter.name).toBeGreaterThan(2);
    expect(named.filter((name) => !names.has(name) && name !== 'uk_section_104')).toEqual([]);
  }
});

test('a skill whose tools are off is not served', async () => {
  const made = await setup({ config: { toolsets: toolsets.filter((name) => name !== 'drafting') } });
  const skills = await listSkills(made);
  expect(skills.map(({ frontmatter }) => frontmatter.name).sort()).toEqual(['portfolio-questions', 'uk-tax-return']);
});
