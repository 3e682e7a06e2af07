// One example body for each kind of event that `POST …/events` creates.
export const eventExamples = {
  event: {
    summary: 'An event with a reminder',
    value: {
      title: 'Planning',
      start_time: '2026-12-01T09:00:00Z',
      end_time: '2026-12-01T10:00:00Z',
      reminders: [10],
    },
  },
  all_day: {
    summary: 'An all-day event ends at the midnight after its last day',
    value: {
      title: 'Release day',
      start_time: '2026-12-01T00:00:00Z',
      end_time: '2026-12-02T00:00:00Z',
      all_day: true,
      reminders: [],
    },
  },
  hold: {
    summary: 'A hold: replace hold_expires_at with a time 30 seconds to 15 minutes from now',
    value: {
      title: 'Demo with a customer',
      start_time: '2026-12-01T09:00:00Z',
      end_time: '2026-12-01T10:00:00Z',
      status: 'hold',
      hold_expires_at: '2026-11-20T08:35:00Z',
      hold_priority: 10,
    },
  },
  series: {
    summary: 'A series: ten Tuesdays, repeated in UTC',
    value: {
      title: 'Weekly review',
      start_time: '2026-12-01T09:00:00Z',
      end_time: '2026-12-01T10:00:00Z',
      recurrence_rule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=10',
    },
  },
  local_series: {
    summary: 'A series that stays at nine in the morning in Berlin, with one further date',
    value: {
      title: 'Weekly review',
      start_time: '2026-12-01T09:00:00+01:00',
      end_time: '2026-12-01T10:00:00+01:00',
      recurrence_rule: 'FREQ=WEEKLY;BYDAY=TU',
      recurrence_timezone: 'Europe/Berlin',
      recurrence_rdates: ['2026-12-24T09:00:00+01:00'],
    },
  },
}
