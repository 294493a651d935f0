/** The type of a host, as data; each host has its own file in this folder. */

import { statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { posix, win32 } from 'node:path';
import type { ProcessContext } from '../../core/process/process-context.ts';

/** What determines where a host keeps its file. */
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

/** How a host writes an entry that has no `command`, `args` and `env` of the usual kind. Both leave other fields as they are. */
export interface EntryShape {
  /** Returns the entry with the usual fields. */
  readonly read: (written: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** Returns an entry with the usual fields as the host writes it. */
  readonly write: (entry: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/** A program that starts MCP servers, and how its configuration file is written. */
export interface HostDefinition {
  /** The name that --client accepts. */
  readonly id: string;
  /** Other names that --client accepts. */
  readonly aliases?: readonly string[];
  readonly name: string;
  readonly syntax: 'json' | 'toml';
  /** The object that contains the servers by name. */
  readonly container: string;
  /** Fields of an entry in addition to command, args and env. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Switches of a new entry; a value that the user changed stays. */
  readonly switches?: Readonly<Record<string, boolean | readonly string[]>>;
  /** Undefined where an entry has the usual fields. */
  readonly shape?: EntryShape;
  /** Whether its JSON file may have comments. */
  readonly takesComments?: boolean;
  /** Whether the host asks for secrets (`inputs`) and inserts them at `${input:…}`. */
  readonly hasInputs?: boolean;
  /** The possible files, the documented one last; the first whose folder exists is used. */
  readonly files: (place: Platform) => readonly string[];
  /** Folders of which one exists when the host is installed; undefined means the folder of the file. */
  readonly folders?: (place: Platform) => readonly string[];
  /** What the user does to make the host read its file again. */
  readonly afterwards: string;
  /** What it does by default before a tool places an order: the end of a sentence. Undefined where that is not known. */
  readonly beforeOrder?: string;
}

/** Returns the path functions of the given platform, which can differ from the running one. */
export const getPathModule = ({ platform }: Platform) => (platform === 'win32' ? win32 : posix);

export const inHome = (place: Platform, ...parts: readonly string[]): string =>
  getPathModule(place).join(place.home, ...parts);

/**
 * Returns the folder that a variable names, or the default. A relative path is ignored, because it depends on the
 * current folder.
 */
export function folderFrom(place: Platform, variable: string, ...otherwise: readonly string[]): string {
  const named = place.env[variable];
  return named && getPathModule(place).isAbsolute(named) ? named : inHome(place, ...otherwise);
}

/** Returns the folder of application settings, as Electron and most programs use it. */
export function settingsFolder(place: Platform): string {
  if (place.platform === 'win32') return folderFrom(place, 'APPDATA', 'AppData', 'Roaming');
  if (place.platform === 'darwin') return inHome(place, 'Library', 'Application Support');
  return folderFrom(place, 'XDG_CONFIG_HOME', '.config');
}

// What the host files depend on in this machine.

/** Returns the platform, the variables and the home folder of the user. */
export function getPlatform({ env, platform }: Pick<ProcessContext, 'env' | 'platform'>): Platform {
  const home = platform === 'win32' ? env.USERPROFILE : env.HOME;
  return { platform, env, home: home || homedir() };
}

/** Returns a warning when root writes into the home folder of another user; undefined otherwise. */
export function rootWarning({ home }: Platform): string | undefined {
  try {
    // Windows has no user ids; Node returns -1 there.
    if (userInfo().uid !== 0 || statSync(home).uid === 0) return undefined;
  } catch {
    // The user has no entry, or the folder does not exist.
    return undefined;
  }
  return `You are root, but ${home} belongs to another user: new files will belong to root, and that user’s host may be unable to read them. Run this command as that user.`;
}
