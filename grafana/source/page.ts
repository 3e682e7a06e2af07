// A dashboard as data: rows of panels, each with its queries. `build.ts` turns it into Grafana's JSON.

/** PromQL, and how the legend names a series. */
export type Query = readonly [expr: string, legend?: string]

export type Panel = {
  title: string
  /** The meaning of the panel. Its last sentence gives the normal value: `Normal: under 5 s.` */
  description: string
  /** As Grafana names it: `s`, `reqps`, `short`, `bytes`, `percentunit`. */
  unit: string
  queries: readonly Query[]
  /** Default `lines`. `stack`: shares of a whole; `number`: only the last value. */
  kind?: 'lines' | 'stack' | 'number'
  /** In 24ths of the page; default 12. */
  width?: number
  /** The values from which it is yellow, and red. */
  limits?: readonly [warning: number, critical: number]
}

type Row = { title: string; panels: readonly Panel[] }

export type Page = {
  /** Part of its address: never changes. */
  uid: string
  title: string
  description: string
  rows: readonly Row[]
}

const window = '[$__rate_interval]'
const labelled = (metric: string, filter: string) => (filter ? `${metric}{${filter}}` : metric)
const by = (labels: string) => (labels ? ` by (${labels})` : '')

/** Events per second of a counter, over all processes. */
export const rate = (counter: string, labels = '', filter = '') =>
  `sum${by(labels)} (rate(${labelled(counter, filter)}${window}))`

/** The same, but 0 while there is no such series. */
export const rateOrZero = (counter: string, filter: string) => `${rate(counter, '', filter)} or vector(0)`

export const quantile = (q: number, histogram: string, labels = '', filter = '') =>
  `histogram_quantile(${q}, ${rate(`${histogram}_bucket`, labels ? `le, ${labels}` : 'le', filter)})`

/** The median and the 95th and 99th percentiles; a mean would hide the tail. */
export const quantiles = (histogram: string, filter = ''): Query[] =>
  [0.5, 0.95, 0.99].map((q) => [quantile(q, histogram, '', filter), `p${q * 100}`])

/** A gauge of which every worker reports the same value. */
export const shared = (gauge: string, labels = '', filter = '') => `max${by(labels)} (${labelled(gauge, filter)})`
