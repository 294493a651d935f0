/** What can be known about a folder without asking anybody: the number of its filesystem, and the names above it. */

interface Kind {
  readonly is: 'network' | 'memory';
  readonly name: string;
}

/** Linux: the magic numbers of statfs(2). A filesystem that is not here is taken for a disk. */
const kinds: Readonly<Record<number, Kind>> = {
  26985: { is: 'network', name: 'NFS' },
  20859: { is: 'network', name: 'SMB' },
  4266872130: { is: 'network', name: 'SMB' },
  4283649346: { is: 'network', name: 'CIFS' },
  1397113167: { is: 'network', name: 'AFS' },
  1937076805: { is: 'network', name: 'Coda' },
  22092: { is: 'network', name: 'NCP' },
  16914839: { is: 'network', name: '9P' },
  12805120: { is: 'network', name: 'Ceph' },
  198183888: { is: 'network', name: 'Lustre' },
  // sshfs and the like; what is local behind it locks no better.
  1702057286: { is: 'network', name: 'FUSE' },
  3133910204: { is: 'network', name: 'a folder of the virtual machine’s host' },
  2020557398: { is: 'network', name: 'a folder of the virtual machine’s host' },
  16914836: { is: 'memory', name: 'tmpfs' },
  2240043254: { is: 'memory', name: 'ramfs' },
};

export const kindOfFilesystem = (type: number): Kind | undefined => kinds[type >>> 0];

const cloudNames =
  /^(dropbox|onedrive( - .*)?|google ?drive|icloud ?drive|mobile documents|cloudstorage|nextcloud|owncloud|pcloud ?drive|proton ?drive|box sync|mega(sync)?)( \(.*\))?$/i;

/** The folder above that a program keeps in step with other machines, by its usual name; undefined when there is none. */
export function cloudFolderIn(path: string, home: string | undefined): string | undefined {
  const parts = path.split(/[\\/]/);
  const found = parts.find((part) => cloudNames.test(part));
  if (found !== undefined) return found;
  // A common word: it is the service only where that puts it.
  const inHome = home !== undefined && path.startsWith(home) ? path.slice(home.length).split(/[\\/]/)[1] : undefined;
  return inHome === 'Box' ? inHome : undefined;
}
