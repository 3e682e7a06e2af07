// Reports changes of source files, for `npm run dev`.
import { watch } from 'node:fs'
import { basename } from 'node:path'

export type Watching = { close(): void }

/** An editor writes a file in several steps, and a checkout writes many. */
const settleMs = 150

export function watchSources(folders: readonly string[], changed: () => void): Watching {
  let settling: NodeJS.Timeout | undefined
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_, name) => {
      if (!name || name.endsWith('.test.ts')) return
      clearTimeout(settling)
      settling = setTimeout(() => {
        console.log(`${basename(folder)}/${name} has changed, starting again…`)
        changed()
      }, settleMs)
    }),
  )
  return {
    close() {
      clearTimeout(settling)
      for (const watcher of watchers) watcher.close()
    },
  }
}
