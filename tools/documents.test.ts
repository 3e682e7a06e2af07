// The documents name only existing files, headings, metrics, commands and jobs. The tests beside this one run their commands;
// reference.test.ts checks the generated parts.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'vitest'
import { openMetrics } from '../src/observability/metrics.ts'
import { isErrorCode } from '../src/shapes/errorTypes.ts'
import { jobs } from '../src/wakeups/jobs.ts'
import { anchorsOf, documents, quoted, read, root, rowsOf, section } from './documents/markdown.ts'

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

test('CONTRIBUTING.md lists every job and its queue', () => {
  const listed = rowsOf(section(read('CONTRIBUTING.md'), '### A job')).map((row) => quoted(row).slice(0, 2))
  assert.deepEqual(
    listed,
    Object.entries(jobs).map(([name, { queue }]) => [name, queue]),
  )
})

test('docs/README.md leads to every document', () => {
  const index = read('docs/README.md')
  const missing = documents.filter(
    (file) => /^docs\/(?!README)/.test(file) && !index.includes(`(${file.slice('docs/'.length)})`),
  )
  assert.deepEqual(missing, [])
})

const registry = openMetrics().registry.getMetricsAsArray()
const metricNames = new Set(
  registry.flatMap(({ name }) => [name, ...['_bucket', '_sum', '_count'].map((s) => name + s)]),
)

for (const document of documents) {
  const text = read(document)

  test(`${document} names only files and headings that exist`, () => {
    const paths = quoted(text).filter((word) =>
      /^(src|api|workers|local|ops|trials|tools|grafana|docs|migrations|\.ci)\/[\w./-]*$/.test(word),
    )
    const gone = paths.filter((path) => !existsSync(join(root, path)))
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
    const broken = links.filter(([, path, anchor]) => {
      const file = path ? normalize(join(dirname(document), path)) : document
      return !existsSync(join(root, file)) || (anchor !== undefined && !anchorsOf(read(file)).has(anchor))
    })
    assert.deepEqual([...gone, ...broken.map(([link]) => link)], [])
  })

  test(`${document} finds each function in the file that it names`, () => {
    const claims = [
      ...text.matchAll(
        /`(\w+)`(?: in|,)\s+`((?:src|api|workers|ops|tools|trials|local)\/[\w./]+\.ts)`|`((?:src|api|workers)\/[\w./]+\.ts)`, `(\w+)`/g,
      ),
    ]
    const wrong = claims.filter(([, name, file, fileFirst, second]) => {
      const path = join(root, file ?? fileFirst!)
      return !existsSync(path) || !new RegExp(`\\b${name ?? second}\\b`).test(read(file ?? fileFirst!))
    })
    assert.deepEqual(
      wrong.map(([claim]) => claim),
      [],
    )
  })

  test(`${document} names only metrics and commands that exist`, () => {
    const meant = [...text.matchAll(/\bcalendar_[a-z_]+_[a-z]+\b/g)]
      .map(([name]) => name)
      .filter((name) => !isErrorCode(name))
    const run = [...text.matchAll(/npm run (?:--silent )?([a-z-]+)/g)].map((match) => match[1]!)
    assert.deepEqual(
      [...meant.filter((name) => !metricNames.has(name)), ...run.filter((name) => !(name in scripts))],
      [],
    )
  })
}

test('every file that a command or a text names is there', () => {
  const path =
    /(?<![\w./-])(?:\.ci|api|docs|grafana|local|migrations|ops|src|tools|trials|workers)\/[\w./-]*\w(?![\w<*{-])/g
  const gone = documents.flatMap((file) =>
    [...read(file).matchAll(path)]
      .filter(([name]) => !existsSync(join(root, name)))
      .map(([name]) => `${file}: ${name}`),
  )
  assert.deepEqual(gone, [])
})

test('each command of npm installs what it needs before it runs', () => {
  const commands = Object.keys(scripts).filter((name) => !/^pre(?!pare)/.test(name))
  assert.deepEqual(
    commands.filter((name) => !scripts[`pre${name}`]?.startsWith('node local/prepare.cjs')),
    [],
  )
})
