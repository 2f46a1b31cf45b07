(package_clause (package_identifier) @module)
[(type_spec name: (_) @type) (type_alias name: (_) @type)]
[(function_declaration name: (_) @function) (method_declaration name: (_) @function) (method_elem name: (_) @function)]
[(const_spec name: (identifier) @variable) (field_declaration name: (_) @variable)]
(source_file (var_declaration [(var_spec name: (identifier) @variable)
                               (var_spec_list (var_spec name: (identifier) @variable))]))
[(identifier) (type_identifier) (field_identifier) (package_identifier)] @reference
