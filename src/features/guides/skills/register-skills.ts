/**
 * Serves the skills (SEP-2640): as resources, which every host can read, and by the methods of the extension. The SDK's
 * own extension takes 12 ms of each start, so this declares it and loads the texts with the first request for one.
 */
import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { expectsCacheFields } from '../../../core/mcp/older-hosts.ts';
import { passThrough } from '../../../core/mcp/tool-listing.ts';
import type { Config } from '../../../core/settings/config.ts';
import { enabledSkills, type SkillDefinition, skillUri } from './skill-definitions.ts';

const extensionId = 'io.modelcontextprotocol/skills';
const files = () => import('./skill-files.ts');

/** Registers the skills whose toolsets are enabled. Call it before the server connects. */
export function registerSkills(server: McpServer, { toolsets }: Pick<Config, 'toolsets'>): void {
  const skills = enabledSkills(toolsets);
  if (skills.length === 0) return;
  for (const skill of skills) {
    const { name, title, description } = skill;
    const facts = { title, description, mimeType: 'text/markdown' };
    server.registerResource(`skill-${name}`, skillUri(name), facts, async ({ href }) => ({
      contents: [{ uri: href, mimeType: facts.mimeType, text: (await files()).writeSkill(skill) }],
    }));
  }
  // A text is part of the program, so a kept copy is only as old as the program that served it.
  const cacheFields = () => (expectsCacheFields(server) ? { ttlMs: 0, cacheScope: 'private' as const } : {});
  const params = passThrough({});
  server.server.registerCapabilities({ extensions: { [extensionId]: {} } });
  const describe = async (skill: SkillDefinition) => (await files()).describeSkill(skill, skillUri(skill.name));
  server.server.setRequestHandler('skills/list', { params }, async () => ({
    skills: await Promise.all(skills.map(describe)),
    ...cacheFields(),
  }));
  server.server.setRequestHandler('skills/get', { params }, async (given) => {
    const { uri } = (given ?? {}) as { readonly uri?: unknown };
    const skill = skills.find(({ name }) => skillUri(name) === uri);
    if (!skill) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No skill has this uri; skills/list has all.');
    return { skill: await describe(skill), ...cacheFields() };
  });
}
