// The process that makes the site. Its memory is freed when it ends; only the compressed files stay.
import { gzipSync } from 'node:zlib'
import { buildSite, type SiteFile } from './build.ts'
import type { KeptFile, SiteOrder } from './site.ts'
import { tagOf } from './versions.ts'

const kept = ({ type, body }: SiteFile): KeptFile => ({
  type,
  zipped: gzipSync(body, { level: 9 }),
  tag: tagOf(body),
})

process.once('message', ({ root, api }: SiteOrder) => {
  const site = buildSite(root, api)
  process.send!(new Map([...site].map(([path, file]) => [path, kept(file)])), () => process.disconnect())
})
