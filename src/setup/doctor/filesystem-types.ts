/**
 * What is known about a folder without a request to another program: its filesystem number, and the folder names above
 * it.
 */

interface Kind {
  readonly is: 'network' | 'memory';
  readonly name: string;
}

/** Linux: magic numbers of statfs(2). A filesystem that is not listed counts as a local disk. */
const kinds: ReadonlyMap<number, Kind> = new Map([
  [0x6969, { is: 'network', name: 'NFS' }],
  [0x517b, { is: 'network', name: 'SMB' }],
  [0xfe534d42, { is: 'network', name: 'SMB' }],
  [0xff534d42, { is: 'network', name: 'CIFS' }],
  [0x5346414f, { is: 'network', name: 'AFS' }],
  [0x73757245, { is: 'network', name: 'Coda' }],
  [0x564c, { is: 'network', name: 'NCP' }],
  [0x01021997, { is: 'network', name: '9P' }],
  [0x00c36400, { is: 'network', name: 'Ceph' }],
  [0x0bd00bd0, { is: 'network', name: 'Lustre' }],
  // sshfs and similar; a local filesystem behind FUSE has no better locks.
  [0x65735546, { is: 'network', name: 'FUSE' }],
  [0xbacbacbc, { is: 'network', name: 'a folder of the virtual machine’s host' }],
  [0x786f4256, { is: 'network', name: 'a folder of the virtual machine’s host' }],
  [0x01021994, { is: 'memory', name: 'tmpfs' }],
  [0x858458f6, { is: 'memory', name: 'ramfs' }],
]);

/** Returns the kind of a filesystem; undefined when it is not listed. Some systems return the number with a sign. */
export const getFilesystemType = (type: number): Kind | undefined => kinds.get(type >>> 0);

const cloudNames =
  /^(dropbox|onedrive( - .*)?|google ?drive|icloud ?drive|mobile documents|cloudstorage|nextcloud|owncloud|pcloud ?drive|proton ?drive|box sync|mega(sync)?)( \(.*\))?$/i;

/**
 * Returns the parent folder that a sync service mirrors to other machines, by its usual name; undefined when there is
 * none.
 */
export function cloudFolderIn(path: string, home: string | undefined): string | undefined {
  const parts = path.split(/[\\/]/);
  const found = parts.find((part) => cloudNames.test(part));
  if (found !== undefined) return found;
  // A common folder name: it is the service's only directly below the home folder.
  const inHome = home !== undefined && path.startsWith(home) ? path.slice(home.length).split(/[\\/]/)[1] : undefined;
  return inHome === 'Box' ? inHome : undefined;
}
