import { type Page, rate, shared } from '../page.ts'

export const feeds: Page = {
  uid: 'calendar-feeds',
  title: 'Calendar: feeds and mails',
  description: 'External feeds that are read, and mails that are sent.',
  rows: [
    {
      title: 'Feeds',
      panels: [
        {
          title: 'Syncs',
          description: 'Reads of external feeds per second, by outcome.',
          unit: 'ops',
          kind: 'stack',
          queries: [[rate('calendar_ical_syncs_total', 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Feeds',
          description: 'By the outcome of their last sync, counted up to 10,000 each.',
          unit: 'short',
          queries: [[shared('calendar_ical_feeds', 'status'), '{{status}}']],
        },
        {
          title: 'Stalest',
          description: 'How long ago the stalest active feed was read. Normal: under 17 minutes.',
          unit: 's',
          limits: [1_800, 2_700],
          queries: [[shared('calendar_ical_stalest_feed_seconds'), 'age']],
        },
        {
          title: 'Our feeds',
          description: 'Requests for the public feeds of calendars, by status.',
          unit: 'reqps',
          queries: [
            [
              `${rate('calendar_http_request_duration_seconds_count', 'status', 'route=~"/ical/.*"')} or on () vector(0)`,
              '{{status}}',
            ],
          ],
        },
      ],
    },
    {
      title: 'Calendars of humans',
      panels: [
        {
          title: 'Messages of providers',
          description:
            'That something has changed, per second, by outcome. `unknown` is a stranger, or a channel that was stopped.',
          unit: 'ops',
          kind: 'stack',
          queries: [[rate('calendar_external_pushes_total', 'provider, outcome'), '{{provider}} {{outcome}}']],
        },
      ],
    },
    {
      title: 'Mails',
      panels: [
        {
          title: 'Sent',
          description: 'Attempts per second, by outcome.',
          unit: 'ops',
          queries: [[rate('calendar_mails_total', 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Waiting',
          description: 'Mails that are not sent yet, counted up to 10,000.',
          unit: 'short',
          queries: [[shared('calendar_mails_waiting'), 'waiting']],
        },
        {
          title: 'Oldest',
          description: 'How long the oldest mail has been waiting.',
          unit: 's',
          limits: [300, 900],
          queries: [[shared('calendar_mails_oldest_seconds'), 'age']],
        },
      ],
    },
  ],
}
