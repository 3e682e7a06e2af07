// A file system of a few megabytes that the drill fills at will. Mounting it needs root.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = {
  directory: string
  /** Fills it until this share is free. */
  leaveFree(share: number): void
  remove(): void
}

const megabytes = 32

/** How the path of each begins. */
export const smallDisks = join(tmpdir(), 'agent-calendar-disk-')

/** ext4 in a file: the alerts ignore file systems in memory. */
export function mountSmallDisk(): SmallDisk {
  const folder = mkdtempSync(smallDisks)
  const directory = join(folder, 'disk')
  const image = join(folder, 'image')
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    mkdirSync(directory)
    writeFileSync(image, '')
    truncateSync(image, megabytes * 1024 * 1024)
    run('mkfs.ext4', '-q', '-m', '0', image)
    run('mount', '-o', 'loop', image, directory)
  } catch (error) {
    remove()
    throw error
  }
  const filler = join(directory, 'filler')
  return {
    directory,
    leaveFree(share) {
      rmSync(filler, { force: true })
      const { bavail, blocks, bsize } = statfsSync(directory)
      writeFileSync(filler, Buffer.alloc(Math.max(0, Math.floor((bavail - blocks * share) * bsize)), 1))
    },
    remove() {
      run('umount', directory)
      remove()
    },
  }
}

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
