/** What a host starts. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** Windows has npx as a batch file, which not every host can start. */
export const npxCommand = (name: string, platform: string): Launch =>
  platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', '-y', name] } : { command: 'npx', args: ['-y', name] };
