export const settings = {
  settingsHint: 'Kept in this browser alone.',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  weekStart: 'Week starts on',
  weekStarts: { monday: 'Monday', sunday: 'Sunday' },
  clock: 'Clock',
  clocks: { '24': '24-hour', '12': '12-hour' },
  timezone: 'Time zone',
  secondTimezone: 'Second time zone',
  language: 'Language',
  singleKeys: 'Single-key shortcuts',
}
