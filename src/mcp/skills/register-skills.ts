/**
 * Serves the skills (SEP-2640) with the SDK's extension. A host that does not know skills ignores them. Their entries are
 * made at the first request, because a start does not need them.
 */
import type { McpServer } from '@modelcontextprotocol/server';
import { type Skill, SkillsExtension, skillEntry } from '@modelcontextprotocol/server/ext/skills';
import type { Toolset } from '../../config.ts';
import { skillTexts } from './skill-texts.ts';

interface LoadedSkill {
  readonly entry: Skill;
  readonly text: string;
}

/** Registers the skills whose toolsets are on. Call it before the server connects. */
export function registerSkills(server: McpServer, { toolsets }: { readonly toolsets: readonly Toolset[] }): void {
  let loading: Promise<readonly LoadedSkill[]> | undefined;
  const load = () => (loading ??= loadSkills(toolsets));
  const find = async (uri: string) => (await load()).find(({ entry }) => entry.uri === uri);
  new SkillsExtension({
    source: {
      list: async () => ({ skills: (await load()).map(({ entry }) => entry) }),
      get: async (uri) => (await find(uri))?.entry,
      read: async (uri) => {
        const skill = await find(uri);
        return skill && { text: skill.text, mimeType: 'text/markdown' };
      },
    },
  }).attach(server);
}

async function loadSkills(toolsets: readonly Toolset[]): Promise<readonly LoadedSkill[]> {
  const served = skillTexts.filter((skill) => skill.toolsets.every((name) => toolsets.includes(name)));
  return Promise.all(
    served.map(async ({ name, description, body }) => {
      const text = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}`;
      return { entry: await skillEntry(name, { 'SKILL.md': text }), text };
    }),
  );
}
