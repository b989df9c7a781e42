// The command line uses the panel's names for the same things.
export { ACTION_NAMES, CATEGORY_NAMES, TRIGGER_NAMES } from '../shownNames';
