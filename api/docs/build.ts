// Makes the site: every page, the index of the search, the reference and their assets. Run in a thread of its own.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { stringify } from 'yaml'
import { outsideFiles, pathOf } from './contents.ts'
import { homeOf } from './home.ts'
import { type Rendered, renderMarkdown } from './markdown.ts'
import { type ApiDocument, operationsOf } from './operations.ts'
import { loadPackages } from './packages.ts'
import { articleOf, layout } from './page.ts'
import { referenceDocument, referencePage } from './reference.ts'
import { withVersions } from './versions.ts'

export type SiteFile = { type: string; body: string | Buffer }
/** By path, without the prefix of the service: the file that is served there. */
type Site = Map<string, SiteFile>

const repository = join(import.meta.dirname, '../..')
const assets = join(import.meta.dirname, 'assets')
const read = (file: string) => readFileSync(join(repository, file))

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
}
const typeOf = (file: string) => types[file.slice(file.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8'

/** `root`: the path prefix of the service, as a browser sees it. `api`: the OpenAPI document. */
export function buildSite(root: string, api: ApiDocument): Site {
  const site: Site = new Map()
  const page = (path: string, body: string) => site.set(path, { type: 'text/html; charset=utf-8', body })

  const files = [...globSync('docs/**/*.md', { cwd: repository }).sort(), ...outsideFiles]
  const rendered = new Map(
    files.map((file) => [file, renderMarkdown(`${read(file)}`, linksOf(root, file, files, site))]),
  )
  for (const [file, one] of rendered) page(pathOf(file), layout(root, pathOf(file), articleOf(one)))
  page('/docs', layout(root, '/docs', homeOf(root, api)))
  page('/docs/reference', referencePage(root, api))

  const data = (path: string, value: unknown) =>
    site.set(path, { type: 'application/json', body: JSON.stringify(value) })
  data('/docs/search.json', [...pageSections(root, rendered), ...operationSections(root, api)])
  data('/docs/reference.json', referenceDocument(api))
  site.set('/openapi.yaml', {
    type: 'application/yaml; charset=utf-8',
    body: stringify(api, { aliasDuplicateObjects: false }),
  })

  for (const name of globSync('*', { cwd: assets }))
    site.set(`/docs/assets/${name}`, { type: typeOf(name), body: readFileSync(join(assets, name)) })
  for (const [name, body] of Object.entries(loadPackages()))
    site.set(`/docs/assets/${name}`, { type: typeOf(name), body })
  for (const file of site.values())
    if (file.type.startsWith('text/html'))
      file.body = withVersions(`${file.body}`, (name) => site.get(`/docs/assets/${name}`)!.body)
  return site
}

/** A link to a document leads to its page. Another file of the repository is added to the site, if it is there. */
function linksOf(root: string, file: string, files: readonly string[], site: Site) {
  return (href: string): string | undefined => {
    if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href
    const [path = '', anchor] = href.split('#')
    const target = normalize(join(dirname(file), path))
    const suffix = anchor === undefined ? '' : `#${anchor}`
    if (files.includes(target) || target === 'README.md') return `${root}${pathOf(target)}${suffix}`
    const place = `/docs/files/${target.replace(/^docs\//, '')}`
    try {
      site.set(place, { type: typeOf(target), body: read(target) })
    } catch {
      return undefined
    }
    return `${root}${place}`
  }
}

type Found = { page: string; title: string; text: string; href: string }

const pageSections = (root: string, rendered: ReadonlyMap<string, Rendered>): Found[] =>
  [...rendered].flatMap(([file, { title: page, sections }]) =>
    sections
      .filter(({ text, id }) => text.trim() || !id)
      .map(({ id, title, text }) => ({ page, title, text, href: `${root}${pathOf(file)}${id && `#${id}`}` })),
  )

const operationSections = (root: string, api: ApiDocument): Found[] =>
  operationsOf(api).map(({ method, path, summary, description, tag, operationId, anchor }) => ({
    page: `API reference, ${tag}`,
    title: summary,
    text: `${method} ${path} ${operationId} ${description}`,
    href: `${root}/docs/reference${anchor}`,
  }))
