/** The skills as plain data, which a start needs. Their texts are in skill-files.ts. */
import type { Toolset } from '../../../core/settings/config.ts';

export type SkillName = 'portfolio-questions' | 'draft-orders' | 'uk-tax-return';

export interface SkillDefinition {
  readonly name: SkillName;
  readonly title: string;
  readonly description: string;
  /** The toolsets whose tools the skill uses; without one of them it is not served. */
  readonly toolsets: readonly Toolset[];
}

const skills: readonly SkillDefinition[] = [
  {
    name: 'portfolio-questions',
    title: 'Portfolio questions',
    description:
      'Questions about the brokerage account: holdings, weights, dividends, gains, returns, costs and past orders.',
    toolsets: ['account', 'analytics', 'history'],
  },
  {
    name: 'draft-orders',
    title: 'Drafting orders',
    description:
      'Turn an intention (invest an amount, rebalance, raise cash, one order) into a draft that the user checks, changes and submits.',
    toolsets: ['drafting'],
  },
  {
    name: 'uk-tax-return',
    title: 'Figures for a UK tax return',
    description: 'Prepare the figures of a UK tax year: disposals by section 104, dividends, interest and costs.',
    toolsets: ['analytics', 'history'],
  },
];

/** The skills whose tools the configuration enables. */
export const enabledSkills = (toolsets: readonly Toolset[]): readonly SkillDefinition[] =>
  skills.filter((skill) => skill.toolsets.every((name) => toolsets.includes(name)));

/** The URI of the one file of a skill. */
export const skillUri = (name: SkillName): string => `skill://${name}/SKILL.md`;
