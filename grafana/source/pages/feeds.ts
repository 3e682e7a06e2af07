import { type Page, quantile, rate, shared } from '../page.ts'

export const feeds: Page = {
  uid: 'calendar-feeds',
  title: 'Calendar: feeds and mails',
  description: 'External feeds that are read, and mails that are sent.',
  rows: [
    {
      title: 'Feeds',
      panels: [
        {
          title: 'Reads of iCal feeds',
          description: 'Reads of external feeds per second, by outcome. Normal: nearly all `imported` or `unchanged`.',
          unit: 'ops',
          kind: 'stack',
          queries: [[rate('calendar_ical_syncs_total', 'outcome'), '{{outcome}}']],
        },
        {
          title: 'iCal subscriptions by status',
          description: 'By the outcome of their last sync, counted up to 10,000 each. Normal: nearly all `active`.',
          unit: 'short',
          queries: [[shared('calendar_ical_feeds', 'status'), '{{status}}']],
        },
        {
          title: 'Stalest iCal feed',
          description: 'How long ago the stalest active feed was read. Normal: under 17 minutes.',
          unit: 's',
          limits: [1_800, 2_700],
          queries: [[shared('calendar_ical_stalest_feed_seconds'), 'age']],
        },
        {
          title: 'Unread parts of foreign calendars',
          description:
            'Parts of feeds and of CalDAV objects that could not be read, per second, by reason. Normal: a few, from calendars that write them so.',
          unit: 'ops',
          queries: [[rate('calendar_unread_components_total', 'reason'), '{{reason}}']],
        },
        {
          title: 'Requests for our feeds',
          description: 'Requests for the public feeds of calendars, by status. Normal: no 5xx.',
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
          title: 'Copies of events by state',
          description:
            'Copies of events, by state, counted up to 10,000 of each. Normal: few `queued`, and nearly no `failed`.',
          unit: 'short',
          queries: [[shared('calendar_publications', 'state'), '{{state}}']],
        },
        {
          title: 'Writes to providers',
          description:
            'Writes to providers per second, by what came of them. Normal: nearly all `written` or `removed`.',
          unit: 'ops',
          queries: [[rate('calendar_publication_attempts_total', 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Time to the provider',
          description: 'From the commit of a change to its copy, p99. Normal: under 5 s.',
          unit: 's',
          limits: [5, 60],
          queries: [[`(${quantile(0.99, 'calendar_publication_lag_seconds')} > 0) or on () vector(0)`, 'p99']],
        },
        {
          title: 'Oldest copy that is due',
          description:
            'How long ago the oldest event changed whose copy is due and not written. Normal: under 5 minutes.',
          unit: 's',
          limits: [300, 900],
          queries: [[shared('calendar_publications_oldest_seconds'), 'age']],
        },
      ],
    },
    {
      title: 'Mails',
      panels: [
        {
          title: 'Mails sent',
          description: 'Attempts per second, by outcome. Normal: nearly all `sent`.',
          unit: 'ops',
          queries: [[rate('calendar_mails_total', 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Mails waiting',
          description: 'Mails that are not sent yet, counted up to 10,000. Normal: none, or a few for an instant.',
          unit: 'short',
          queries: [[shared('calendar_mails_waiting'), 'waiting']],
        },
        {
          title: 'Oldest waiting mail',
          description: 'How long the oldest mail has been waiting. Normal: under 5 minutes.',
          unit: 's',
          limits: [300, 900],
          queries: [[shared('calendar_mails_oldest_seconds'), 'age']],
        },
      ],
    },
  ],
}
