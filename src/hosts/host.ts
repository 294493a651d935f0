/** What a host is, as data: one file beside this one for each. */
import { posix, win32 } from 'node:path';

/** The part of the world that decides where a host keeps its file. */
export interface Platform {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** How a host starts this server. */
export interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface HostDefinition {
  /** What --client takes. */
  readonly id: string;
  readonly name: string;
  readonly syntax: 'json' | 'toml';
  /** The object that holds the servers by name. */
  readonly container: string;
  /** Fields of an entry beside command, args and env. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Switches of a new entry; where a person wrote another value, that stays. */
  readonly switches?: Readonly<Record<string, boolean>>;
  /** Whether its file may have comments although it is JSON. */
  readonly takesComments?: boolean;
  /** Whether the host asks for secrets by itself (`inputs`) and puts them where `${input:…}` is. */
  readonly hasInputs?: boolean;
  /** The files that it may be, the documented one last; the first whose folder exists is taken. */
  readonly files: (place: Platform) => readonly string[];
  /** The folders that are there when the host is installed; left out, that of the file. */
  readonly folders?: (place: Platform) => readonly string[];
  /** What makes the host read its file again. */
  readonly afterwards: string;
}

/** Paths of the platform that is asked about, which need not be the one that runs. */
export const getPathModule = ({ platform }: Platform) => (platform === 'win32' ? win32 : posix);

export const inHome = (place: Platform, ...parts: readonly string[]): string =>
  getPathModule(place).join(place.home, ...parts);

/** A folder that a variable may name, and its default. A relative one is no place to rely on. */
export function folderFrom(place: Platform, variable: string, ...otherwise: readonly string[]): string {
  const named = place.env[variable];
  return named && getPathModule(place).isAbsolute(named) ? named : inHome(place, ...otherwise);
}

/** Where programs keep their settings: Electron and most others agree on this. */
export function settingsFolder(place: Platform): string {
  if (place.platform === 'win32') return folderFrom(place, 'APPDATA', 'AppData', 'Roaming');
  if (place.platform === 'darwin') return inHome(place, 'Library', 'Application Support');
  return folderFrom(place, 'XDG_CONFIG_HOME', '.config');
}
