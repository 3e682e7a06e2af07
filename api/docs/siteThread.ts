// The thread that makes the site. Its memory goes with it: what stays is compressed.
import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { buildSite, type SiteFile } from './build.ts'
import type { KeptFile, SiteOrder } from './site.ts'

const kept = ({ type, body }: SiteFile): KeptFile => ({
  type,
  zipped: gzipSync(body, { level: 9 }),
  etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
})

const { root, api } = workerData as SiteOrder
const site = buildSite(root, api)
parentPort!.postMessage(new Map([...site].map(([path, file]) => [path, kept(file)])))
