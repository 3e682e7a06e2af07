// Finds exports that no file imports: an `export` tells the reader that another file depends on the name.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ModuleItem, parseSync } from '@swc/core'

type Import = { from: string; name: string }

/** Values and types. An import by a test counts; starting a file directly does not. */
export function unusedExports(root: string, folders: readonly string[]): { file: string; name: string }[] {
  const patterns = [`{${folders.join(',')}}/**/*.{ts,tsx}`, '*.ts']
  const files = globSync(patterns, { cwd: root, exclude: ['clients/*/dist/**'] }).map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return {
      file,
      text,
      items: parseSync(text, { syntax: 'typescript', tsx: file.endsWith('x') }).body as ModuleItem[],
    }
  })
  const used = new Set(
    files.flatMap(({ file, text, items }) =>
      [...items.flatMap((item) => importsOf(item, text)), ...dynamicImportsOf(text)].map(
        ({ from, name }) => `${join(file, '..', from)} ${name}`,
      ),
    ),
  )
  return files.flatMap(({ file, items }) =>
    items
      .flatMap(exportsOf)
      .filter((name) => !used.has(`${file} ${name}`))
      .map((name) => ({ file, name })),
  )
}

/** A form of export that is not used here gets the name of the form, which cannot be imported. */
function exportsOf(item: ModuleItem): string[] {
  if (item.type === 'ExportDeclaration') {
    const { declaration } = item
    if ('identifier' in declaration) return [declaration.identifier.value]
    if ('id' in declaration) return [declaration.id.value]
    return declaration.declarations.map(({ id }) => (id.type === 'Identifier' ? id.value : id.type))
  }
  if (item.type !== 'ExportNamedDeclaration') return item.type.startsWith('Export') ? [item.type] : []
  return item.specifiers.map((one) => (one.type === 'ExportSpecifier' ? (one.exported ?? one.orig).value : one.type))
}

/** A re-export counts as an import. Of a namespace, the members that are named are imported. */
function importsOf(item: ModuleItem, text: string): Import[] {
  if ((item.type !== 'ImportDeclaration' && item.type !== 'ExportNamedDeclaration') || !item.source) return []
  const from = item.source.value
  return item.specifiers.flatMap((one): Import[] => {
    if (one.type === 'ImportSpecifier') return [{ from, name: (one.imported ?? one.local).value }]
    if (one.type === 'ExportSpecifier') return [{ from, name: one.orig.value }]
    if (one.type !== 'ImportNamespaceSpecifier') return []
    const members = text.matchAll(new RegExp(`\\b${one.local.value}\\.(\\w+)`, 'g'))
    return [...members].map(([, name]) => ({ from, name: name! }))
  })
}

/** Of a screen of the console: `screen(() => import('./agents.tsx'), 'Agents')`. */
const dynamicImportsOf = (text: string): Import[] => [
  ...[...text.matchAll(/\{ ([\w, ]+) \} = await import\('([^']+)'\)/g)].flatMap(([, names, from]) =>
    names!.split(', ').map((name) => ({ from: from!, name })),
  ),
  ...[...text.matchAll(/\(\) => import\('([^']+)'\), '(\w+)'/g)].map(([, from, name]) => ({
    from: from!,
    name: name!,
  })),
]
