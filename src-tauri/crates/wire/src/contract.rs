//! The macro that generates code from each line of a contract: a trait method, its name and types, its
//! dispatch from JSON, its logging, and its call to another process.

/// Declares the contract: `"name" function(Params) -> Result;`
macro_rules! contract {
    ($( $(#[$doc:meta])* $name:literal $function:ident($params:ty) -> $result:ty; )*) => {
        /// The commands, one function each.
        pub trait Api {
            $( $(#[$doc])* fn $function(&self, params: $params) -> Result<$result, $crate::ApiError>; )*
        }

        /// Every method's name, in the order of the contract.
        pub const METHODS: &[&str] = &[$($name),*];

        /// Every method with the names of its two types, which are registered in `types`.
        pub fn signatures(types: &mut specta::Types) -> Vec<$crate::Signature> {
            vec![$( $crate::Signature {
                method: $name,
                params: <$params as specta::Type>::definition(types),
                result: <$result as specta::Type>::definition(types),
            } ),*]
        }

        /// Calls a method by its name with JSON parameters and returns JSON in the requested form. An unknown
        /// method is a usage error.
        pub fn dispatch<A: $crate::answer::Answer>(
            api: &dyn Api,
            method: &str,
            params: serde_json::Value,
        ) -> Result<A, $crate::ApiError> {
            match method {
                $( $name => {
                    let session = $crate::command_log::session_in($name, &params);
                    $crate::command_log::logged($name, session.as_deref(), || {
                        let params: $params = $crate::api::parse($name, params)?;
                        A::of(api.$function(params)?)
                    })
                } )*
                _ => Err($crate::ApiError::new(
                    $crate::ErrorCode::Usage,
                    format!("there is no command called {method:?}"),
                )),
            }
        }

        /// Wraps an implementation in this process, and logs its commands as `dispatch` does.
        pub struct Logged<'a>(pub &'a dyn Api);

        impl Api for Logged<'_> {
            $( fn $function(&self, params: $params) -> Result<$result, $crate::ApiError> {
                let session = $crate::command_log::session_of($name, &params);
                $crate::command_log::logged($name, session.as_deref(), || self.0.$function(params))
            } )*
        }

        /// Calls an implementation in another process. The function sends a method's name and its JSON
        /// parameters, and returns the JSON result.
        pub struct Remote<F>(pub F);

        impl<F> Api for Remote<F>
        where
            F: Fn(&str, serde_json::Value) -> Result<serde_json::Value, $crate::ApiError>,
        {
            $( fn $function(&self, params: $params) -> Result<$result, $crate::ApiError> {
                let params = $crate::answer::Answer::of(params)?;
                $crate::api::parse($name, (self.0)($name, params)?)
            } )*
        }
    };
}

/// A method and its types, for generating the contract in another language.
pub struct Signature {
    /// The method's name, such as `session.start`.
    pub method: &'static str,
    pub params: specta::datatype::DataType,
    pub result: specta::datatype::DataType,
}
