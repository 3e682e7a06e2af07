import { type Page, quantile, rate, shared } from '../page.ts'

/** 0 while nothing is observed. */
const p99 = (histogram: string, label: string) => `(${quantile(0.99, histogram, label)} >= 0) or on () vector(0)`

export const connections: Page = {
  uid: 'calendar-connections',
  title: 'Calendar: calendars of humans',
  description: 'Connected accounts, how they are read, and what their providers answer.',
  rows: [
    {
      title: 'Accounts',
      panels: [
        {
          title: 'Connections',
          description:
            'By provider and status. `reauthorization_required` waits for its human. Normal: nearly all `active`.',
          unit: 'short',
          queries: [[shared('calendar_connections', 'provider, status'), '{{provider}} {{status}}']],
        },
        {
          title: 'External calendars',
          description: 'Selected ones, by what their copy is worth. Normal: nearly all `current`.',
          unit: 'short',
          kind: 'stack',
          queries: [[shared('calendar_external_calendars', 'sync'), '{{sync}}']],
        },
        {
          title: 'Closed answers',
          description:
            'Questions about free time per second that were answered with none for want of a copy, by its state. Normal: nearly none.',
          unit: 'ops',
          kind: 'stack',
          queries: [[rate('calendar_availability_closed_total', 'state'), '{{state}}']],
        },
      ],
    },
    {
      title: 'Reads',
      panels: [
        {
          title: 'Reads of connections',
          description: 'Of connections per second, by outcome. Normal: nearly all `read`.',
          unit: 'ops',
          kind: 'stack',
          queries: [[rate('calendar_external_reads_total', 'provider, outcome'), '{{provider}} {{outcome}}']],
        },
        {
          title: 'Duration of a read',
          description: 'How long reads take, p99. At most 60 s at the provider. Normal: steady, and far below 60 s.',
          unit: 's',
          queries: [[p99('calendar_external_read_duration_seconds', 'provider'), '{{provider}}']],
        },
        {
          title: 'Lag of a read',
          description:
            'From the moment when a read is due until its copies are stored, p99, by what made it due. Normal: under 10 s for `push`.',
          unit: 's',
          queries: [[p99('calendar_external_read_lag_seconds', 'by'), '{{by}}']],
        },
        {
          title: 'Stalest external calendar',
          description: 'Age of the oldest copy of a calendar that can be read. Normal: under 17 minutes.',
          unit: 's',
          limits: [1_200, 2_700],
          queries: [[shared('calendar_external_stalest_seconds'), 'age']],
        },
      ],
    },
    {
      title: 'Providers',
      panels: [
        {
          title: 'Requests to providers',
          description: 'To providers per second, by outcome. Normal: nearly all `ok`.',
          unit: 'reqps',
          queries: [[rate('calendar_provider_requests_total', 'provider, outcome'), '{{provider}} {{outcome}}']],
        },
        {
          title: 'Messages of providers',
          description:
            'That something has changed, per second, by outcome. `unknown` is a stranger, or a channel that was stopped. Normal: nearly all `taken`.',
          unit: 'ops',
          kind: 'stack',
          queries: [[rate('calendar_external_pushes_total', 'provider, outcome'), '{{provider}} {{outcome}}']],
        },
        {
          title: 'Channels of providers',
          description: 'By which providers tell of changes, by state. Normal: all `live`.',
          unit: 'short',
          queries: [[shared('calendar_external_channels', 'provider, state'), '{{provider}} {{state}}']],
        },
      ],
    },
  ],
}
