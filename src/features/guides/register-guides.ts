/** Registers the prompts, resources and skills with the SDK. Nothing is read or loaded before the first request. */
import type { McpServer } from '@modelcontextprotocol/server';
import type { GuideDeps } from './completion.ts';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources/register-resources.ts';
import { registerSkills } from './skills/register-skills.ts';

/** Call it before the server connects. */
export function registerGuides(server: McpServer, deps: GuideDeps): void {
  registerResources(server, deps);
  registerPrompts(server, deps);
  registerSkills(server, deps.config);
}
