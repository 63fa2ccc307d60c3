/** Only for components that Formik wraps, of which the application uses none. */
const hoistStatics = <Component>(component: Component): Component => component;
export default hoistStatics;
