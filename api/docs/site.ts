// The site in the process that serves it: compressed, made by a thread when it is first asked for.
import { Worker } from 'node:worker_threads'
import type { ApiDocument } from './operations.ts'

/** A file as it is kept: compressed, with the tag of its content. */
export type KeptFile = { type: string; zipped: Uint8Array; etag: string }
export type SiteOrder = { root: string; api: ApiDocument }
type KeptSite = ReadonlyMap<string, KeptFile>

/** The event loop never waits for a page. A thread that fails is tried again with the next request. */
export function openSite(order: () => SiteOrder): () => Promise<KeptSite> {
  let site: Promise<KeptSite> | undefined
  return () => {
    site ??= makeSite(order()).catch((error) => {
      site = undefined
      throw error
    })
    return site
  }
}

function makeSite(order: SiteOrder): Promise<KeptSite> {
  const { promise, resolve, reject } = Promise.withResolvers<KeptSite>()
  const worker = new Worker(new URL('./siteThread.ts', import.meta.url), { workerData: order, env: {}, execArgv: [] })
  worker.unref()
  worker.once('message', resolve).once('error', reject)
  worker.once('exit', () => reject(new Error('the thread ended before the site was made')))
  return promise
}
