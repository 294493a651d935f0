/** The skills, read by the SDK's client for skills, which checks every text against its entry. */
// @module-tag server
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { expect, test } from 'vitest';
import { tools } from '../../../src/app/registry.ts';
import { toolsets } from '../../../src/core/settings/config.ts';
import { setup } from '../../support/setup.ts';

test('there is a skill for questions, for drafts and for a tax return, and each names existing tools only', async () => {
  const { client } = await setup();
  const reader = new SkillsClient(client);
  const { skills } = await reader.list();
  expect(skills.map(({ frontmatter }) => frontmatter.name)).toEqual([
    'portfolio-questions',
    'draft-orders',
    'uk-tax-return',
  ]);
  const known = new Set<string>([...tools.map(({ name }) => name), 'uk_section_104']);
  for (const { uri, frontmatter } of skills) {
    const { skill } = await reader.get(uri);
    const { body = '', verified } = await reader.read(skill);
    expect(verified).toBe(true);
    const named = [...body.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name = '']) => name);
    expect(named.length, frontmatter.name).toBeGreaterThan(2);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  }
});

test('a skill is a resource, so that a host that knows no skills can read it too', async () => {
  const { client } = await setup();
  const { skills } = await new SkillsClient(client).list();
  const { resources } = await client.listResources();
  const listed = resources.filter(({ uri }) => uri.startsWith('skill://'));
  expect(listed.map(({ uri, description }) => [uri, description])).toEqual(
    skills.map(({ uri, frontmatter }) => [uri, frontmatter.description]),
  );
});

test.each<[readonly string[], readonly string[]]>([
  [['drafting'], ['portfolio-questions', 'uk-tax-return']],
  [['history'], ['draft-orders']],
])('without the toolset %s, the skills that use it are not served', async (without, served) => {
  const { client } = await setup({ config: { toolsets: toolsets.filter((name) => !without.includes(name)) } });
  const { skills } = await new SkillsClient(client).list();
  expect(skills.map(({ frontmatter }) => frontmatter.name)).toEqual(served);
});

test('a server without a skill declares none', async () => {
  const { client } = await setup({ config: { toolsets: ['account', 'status'] } });
  expect(new SkillsClient(client).supported).toBe(false);
});

test('an unknown skill is an error of the request', async () => {
  const { client } = await setup();
  await expect(new SkillsClient(client).get('skill://draft-orders/OTHER.md')).rejects.toMatchObject({ code: -32_602 });
});
