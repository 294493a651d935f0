/**
 * Everything that a start does not need: the tools, the broker, the simulator and the other commands.
 * The build puts it into a file of its own, because an engine reads a file whole before it runs a line.
 */
import type { Config } from '../config.ts';
import { tools } from '../mcp/registry.ts';
import { type CallOptions, runTool, type ToolResult } from '../mcp/run-tool.ts';
import { compose } from './compose.ts';

export { callCommand } from './call.ts';
export { demoCommand } from './demo.ts';
export { helpText } from './help.ts';
export { simulateCommand } from './simulate.ts';

export interface Work {
  run(name: string, args: unknown, options: CallOptions): Promise<ToolResult>;
  close(): Promise<void>;
}

export function startWork(config: Config): Work {
  const { services, close } = compose(config);
  return { run: (name, args, options) => runTool(tools, name, args, services, options), close };
}
