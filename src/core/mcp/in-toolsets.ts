import type { Config, Toolset } from '../settings/config.ts';
import type { Registration } from './tool.ts';

/** Whether the configuration enables the toolsets that register the tool. */
export const isInToolsets = (
  { toolset, alsoIn, needs }: Registration,
  { toolsets }: Pick<Config, 'toolsets'>,
): boolean => {
  const isOn = (name: Toolset | undefined) => name !== undefined && toolsets.includes(name);
  return (isOn(toolset) || isOn(alsoIn)) && (needs === undefined || isOn(needs));
};
