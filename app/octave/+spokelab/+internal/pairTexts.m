function texts = pairTexts(pairs)
% {name, value, ...} as {'name=value', ...}.
  [none, rest] = spokelab.internal.splitOptions({}, pairs);
  texts = cell(1, numel(rest) / 2);
  for i = 1:numel(texts)
    texts{i} = [rest{2 * i - 1}, '=', rest{2 * i}];
  end
end
