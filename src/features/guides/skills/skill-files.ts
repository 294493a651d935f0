/** The one file of each skill, and the entry by which a host checks what it read (SEP-2640). */
import { createHash } from 'node:crypto';
import type { Skill } from '@modelcontextprotocol/server/ext/skills';
import type { SkillDefinition } from './skill-definitions.ts';
import { skillTexts } from './skill-texts.ts';

/** Returns the Markdown of a skill, with its name and description in front. */
export const writeSkill = ({ name, description }: SkillDefinition): string =>
  // JSON is YAML, so a quoted text needs no further escape.
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${skillTexts[name]}`;

/** Returns the entry of a skill: its name and description, and the size and digest of the file at `uri`. */
export function describeSkill(skill: SkillDefinition, uri: string): Skill {
  const { name, description } = skill;
  const bytes = Buffer.from(writeSkill(skill));
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { uri, frontmatter: { name, description }, resources: [{ uri, digest, size: bytes.length }] };
}
