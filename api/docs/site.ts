// The site in the process that serves it: compressed, made by another process at the first request.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ApiDocument } from './operations.ts'

/** A stored file: compressed, with the tag of its content. */
export type KeptFile = { type: string; zipped: Uint8Array; tag: string }
export type SiteOrder = { root: string; api: ApiDocument }
type KeptSite = ReadonlyMap<string, KeptFile>

/** Requests within this time after a failure get the same failure. */
const failureMs = 10_000
const maxMs = 5 * 60_000

/** The event loop never waits for a page, and the memory that pages take while they are made goes with the process that makes them. */
export function openSite(order: () => SiteOrder, make = makeSite): () => Promise<KeptSite> {
  let site: Promise<KeptSite> | undefined
  const forget = () => {
    site = undefined
  }
  return () => {
    if (site) return site
    site = make(order())
    site.catch(() => setTimeout(forget, failureMs).unref())
    return site
  }
}

function makeSite(order: SiteOrder): Promise<KeptSite> {
  const { promise, resolve, reject } = Promise.withResolvers<KeptSite>()
  const maker = fork(fileURLToPath(new URL('./siteMaker.ts', import.meta.url)), [], {
    ...{ env: {}, execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
    ...{ timeout: maxMs, killSignal: 'SIGKILL' },
  })
  maker.once('message', (made) => resolve(made as KeptSite)).once('error', reject)
  maker.once('exit', (code, signal) => reject(new Error(`the process that makes the site ended: ${signal ?? code}`)))
  maker.send(order)
  return promise
}
