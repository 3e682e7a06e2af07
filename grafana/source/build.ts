// `npm run dashboards`: writes grafana/dashboards from the pages. The same pages always give the same text, so that a
// test can compare the committed files.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Builder } from '@grafana/grafana-foundation-sdk/cog'
import {
  GraphDrawStyle,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common'
import {
  AnnotationQueryBuilder,
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  type Panel as GrafanaPanel,
  QueryVariableBuilder,
  RowBuilder,
  TextBoxVariableBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat'
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries'
import { alertRules, sectionOf } from '../../ops/prometheus/rules.ts'
import type { Page, Panel, Query } from './page.ts'
import { pages } from './pages.ts'
import { selected } from './selected.ts'

const directory = join(import.meta.dirname, '../dashboards')
const tag = 'agent-calendar'
// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana
const datasource = { type: 'prometheus', uid: '${datasource}' }

export function dashboardOf(page: Page): Dashboard {
  const builder = new DashboardBuilder(page.title)
    .uid(page.uid)
    .description(page.description)
    .tags([tag])
    .readonly()
    .refresh('30s')
    .time({ from: 'now-1h', to: 'now' })
    .timezone('browser')
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
    .withVariable(variable('job', 'calendar_ready'))
    .withVariable(variable('instance', 'calendar_ready{job=~"$job"}'))
    .link(
      new DashboardLinkBuilder('Calendar')
        .type(DashboardLinkType.Dashboards)
        .tags([tag])
        .asDropdown(true)
        .keepTime(true),
    )
    .withVariable(new TextBoxVariableBuilder('runbook').label('Runbook').defaultValue(runbookAddress))
    .annotation(starts)
  for (const link of runbookLinks(page.uid)) builder.link(link)
  for (const { title, panels } of page.rows) {
    builder.withRow(new RowBuilder(title))
    for (const panel of panels) builder.withPanel(panelOf(panel))
  }
  const dashboard = builder.build()
  dashboard.panels?.forEach((panel, nth) => {
    panel.id = nth + 1
  })
  return dashboard
}

/** As in docker-compose.yml; installations that serve the runbook elsewhere change it on the dashboard, or here. */
const runbookAddress = 'http://localhost:8080/docs/runbook'

/** A link to each section of the runbook that an alert of this dashboard leads to. */
function runbookLinks(uid: string): DashboardLinkBuilder[] {
  const sections = new Set(alertRules.filter((rule) => rule.annotations.dashboard === uid).map(sectionOf))
  return [...sections].map((section) =>
    new DashboardLinkBuilder(`Runbook: ${section.replaceAll('-', ' ')}`)
      .type(DashboardLinkType.Link)
      .url(`$\{runbook}#${section}`)
      .targetBlank(true),
  )
}

/** A line where a process started: a deploy, or a crash. */
const starts = new AnnotationQueryBuilder()
  .name('Starts of processes')
  .datasource(datasource)
  .enable(true)
  .iconColor('blue')
  .expr(selected('calendar_process_start_time_seconds * 1000'))
  .useValueForTime(true)
  .step('60s')
  .titleFormat('Started')
  .textFormat('{{job}} {{instance}}')

/** The values of a label; all of them unless somebody chooses. */
const variable = (label: string, metric: string) =>
  new QueryVariableBuilder(label)
    .datasource(datasource)
    .query(`label_values(${metric}, ${label})`)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .multi(true)
    .includeAll(true)
    .allValue('.*')

function panelOf(panel: Panel): Builder<GrafanaPanel> {
  const builder = panel.kind === 'number' ? new StatBuilder() : timeseriesOf(panel)
  builder
    .title(panel.title)
    .description(panel.description)
    .datasource(datasource)
    .unit(panel.unit)
    .min(0)
    .height(panel.kind === 'number' ? 5 : 8)
    .span(panel.width ?? 12)
    .targets(panel.queries.map(queryOf))
  if (panel.limits) builder.thresholds(thresholdsOf(panel.limits))
  return builder
}

function timeseriesOf({ kind, limits }: Panel): TimeseriesBuilder {
  const builder = new TimeseriesBuilder()
    .drawStyle(GraphDrawStyle.Line)
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.Table)
        .placement(LegendPlacement.Right)
        .calcs(['lastNotNull', 'max'])
        .showLegend(true),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending))
  if (limits) builder.thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed))
  return kind === 'stack'
    ? builder.fillOpacity(30).stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group('A'))
    : builder.fillOpacity(5)
}

const queryOf = ([expr, legend]: Query, nth: number) =>
  new DataqueryBuilder()
    .refId(String.fromCharCode(65 + nth))
    .expr(selected(expr))
    .range()
    .legendFormat(legend ?? '')

const thresholdsOf = ([warning, critical]: readonly [number, number]) =>
  new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([
    { value: null, color: 'green' },
    { value: warning, color: 'yellow' },
    { value: critical, color: 'red' },
  ])

/** The path and the text of each file. */
export const dashboardFiles = (): { file: string; text: string }[] =>
  pages.map((page) => ({
    file: join(directory, `${page.uid}.json`),
    text: `${JSON.stringify(dashboardOf(page), null, 2)}\n`,
  }))

if (import.meta.main) {
  mkdirSync(directory, { recursive: true })
  for (const { file, text } of dashboardFiles()) writeFileSync(file, text)
}
