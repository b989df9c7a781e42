export { titleOfWindow as sessionTitle } from '../sessions/sessionTitle';
