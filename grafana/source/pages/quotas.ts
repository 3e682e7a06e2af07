import { type Page, rate, shared } from '../page.ts'

const reached = (share: string) => shared('calendar_quota_organizations', 'budget', `at_least="${share}"`)

export const quotas: Page = {
  uid: 'calendar-quotas',
  title: 'Calendar: quotas and plans',
  description: 'How far organizations are into their monthly budgets. Measured every five minutes.',
  rows: [
    {
      title: 'Budgets',
      panels: [
        {
          title: 'Budgets above 80 %',
          description: 'Organizations that have used at least 80 % of a budget. Normal: few.',
          unit: 'short',
          queries: [[reached('0.8'), '{{budget}}']],
        },
        {
          title: 'Exhausted budgets',
          description: 'Organizations that are refused until their period ends. Normal: none, or few.',
          unit: 'short',
          queries: [[reached('1'), '{{budget}}']],
        },
        {
          title: 'Use of API calls',
          description: 'Organizations by the share that they have used at least. Normal: few at the highest share.',
          unit: 'short',
          queries: [[shared('calendar_quota_organizations', 'at_least', 'budget="api_calls"'), '{{at_least}}']],
        },
        {
          title: 'Use of events',
          description: 'Organizations by the share that they have used at least. Normal: few at the highest share.',
          unit: 'short',
          queries: [[shared('calendar_quota_organizations', 'at_least', 'budget="events"'), '{{at_least}}']],
        },
      ],
    },
    {
      title: 'Plans',
      panels: [
        {
          title: 'Organizations by plan',
          description: 'Organizations, by plan. Normal: steady, or slow growth.',
          unit: 'short',
          kind: 'stack',
          queries: [[shared('calendar_organizations', 'plan'), '{{plan}}']],
        },
        {
          title: 'Requests by plan',
          description: 'Admitted per second, by plan. Normal: as on other days at this hour.',
          unit: 'reqps',
          kind: 'stack',
          queries: [[rate('calendar_gate_decisions_total', 'plan', 'decision="admitted"'), '{{plan}}']],
        },
        {
          title: 'Refused for quota',
          description: 'Requests over a monthly budget, by plan. Normal: none while no budget is exhausted.',
          unit: 'reqps',
          queries: [[rate('calendar_gate_decisions_total', 'plan', 'decision="quota"'), '{{plan}}']],
        },
        {
          title: 'Refused for plan',
          description:
            'Requests for a feature of a paid plan: a sign of interest, or a client that ignores errors. Normal: few.',
          unit: 'reqps',
          queries: [[rate('calendar_gate_decisions_total', 'plan', 'decision="plan"'), '{{plan}}']],
        },
      ],
    },
  ],
}
