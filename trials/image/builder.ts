// buildah with a store of its own, in the folder of the trial.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Opened } from '../world/opened.ts'
import { runSealed } from './sealed.ts'

/** The configuration in the image. */
export type ImageConfig = {
  User: string
  WorkingDir: string
  Env: string[]
  Cmd: string[]
  Healthcheck: { Test: string[] }
}

export type Builder = {
  dataDir: string
  place: Parameters<typeof runSealed>[2]
  /** Builds and tags an image of a folder; without a text, by the Dockerfile there. */
  build(folder: string, tag: string, dockerfile?: string): Promise<void>
  /** Writes the files of an image into a folder. */
  unpack(tag: string, folder: string): Promise<ImageConfig>
}

export function openBuilder({ dataDir, onClose }: Opened): Builder {
  const place = { logFile: join(dataDir, 'build.log'), onClose }
  const store = ['--root', join(dataDir, 'store'), '--runroot', join(dataDir, 'runroot'), '--storage-driver', 'overlay']
  const buildah = (...words: string[]) => runSealed('buildah', [...store, ...words], place)
  return {
    ...{ dataDir, place },
    async build(folder, tag, dockerfile) {
      const file = join(dataDir, 'Dockerfile')
      if (dockerfile) writeFileSync(file, dockerfile)
      const options = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--tag', tag]
      await buildah('build', ...options, ...(dockerfile ? ['--file', file] : []), folder)
    },
    async unpack(tag, folder) {
      mkdirSync(folder, { recursive: true })
      const container = (await buildah('from', '--pull-never', tag)).trim()
      // The mount ends with the shell.
      const script = 'folder=$1; container=$2; shift 2; cp -a "$("$@" mount "$container")/." "$folder"'
      await runSealed('sh', ['-c', script, 'sh', folder, container, 'buildah', ...store], place)
      return JSON.parse(await buildah('inspect', '--type', 'image', tag)).Docker.config
    },
  }
}
