// A dashboard as data: rows of panels, each with its queries. `build.ts` makes Grafana's JSON of it.

/** PromQL and what the legend calls a series. */
export type Query = readonly [expr: string, legend?: string]

export type Panel = {
  title: string
  /** What it means and what is normal. */
  description: string
  /** As Grafana names it: `s`, `reqps`, `short`, `bytes`, `percentunit`. */
  unit: string
  queries: readonly Query[]
  /** `lines` unless said otherwise; `stack`: shares of a whole; `number`: the last value alone. */
  kind?: 'lines' | 'stack' | 'number'
  /** Of 24. */
  width?: number
  /** From these values on it is yellow, and red. */
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

/** The same, 0 where there is no such series yet. */
export const rateOrZero = (counter: string, filter: string) => `${rate(counter, '', filter)} or vector(0)`

export const quantile = (q: number, histogram: string, labels = '', filter = '') =>
  `histogram_quantile(${q}, ${rate(`${histogram}_bucket`, labels ? `le, ${labels}` : 'le', filter)})`

/** Lines of the median, the 99th percentile and the mean would hide what the tail tells: median, 95 and 99. */
export const quantiles = (histogram: string, filter = ''): Query[] =>
  [0.5, 0.95, 0.99].map((q) => [quantile(q, histogram, '', filter), `p${q * 100}`])

/** A gauge that every worker shows alike. */
export const shared = (gauge: string, labels = '', filter = '') => `max${by(labels)} (${labelled(gauge, filter)})`
