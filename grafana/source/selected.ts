// Every query goes through here, so that a dashboard can be narrowed to a job or a process.

/** Added to each selector. The variables are "all" unless somebody chooses. */
const selection = 'job=~"$job", instance=~"$instance"'

/** A metric of ours, with its filter if it has one. `up` is Prometheus' own. Recorded rules have a colon in their name. */
const selector = /(?<![\w:$"])(calendar_[a-z0-9_]+|up)\b(?![:(])(\{([^}]*)\})?/g

/** The query, of the chosen jobs and instances only. */
export const selected = (expr: string): string =>
  expr.replace(selector, (_, metric: string, __, filter?: string) =>
    filter ? `${metric}{${filter}, ${selection}}` : `${metric}{${selection}}`,
  )
