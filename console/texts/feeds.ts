export const feeds = {
  feeds: 'Feeds',
  subscriptions: 'Subscriptions',
  subscription: 'Subscription',
  newSubscription: 'New subscription',
  subscribe: 'Subscribe',
  lastRead: 'Last read',
  problem: 'Problem',
  readNow: 'Read now',
  beingRead: 'The feed is being read',
  removeFeed: 'Remove',
  calendarFeeds: 'Calendar feeds',
  copyFeedAddress: 'Copy feed address',
}
