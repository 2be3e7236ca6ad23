% The guide's examples run as they stand.
setenv('XDG_CACHE_HOME', tempdir());
setenv('HOME', tempdir());
examples = '';
for line = strsplit(fileread(fullfile(getenv('SPOKELAB_GUIDE'), 'octave.md')), "\n")
  isCode = strncmp(line{1}, '    ', 4);
  if isCode && isempty(strfind(line{1}, 'imagesc'))
    examples = [examples, line{1}, "\n"];
  end
end
eval(examples);
if ~isequal(size(image), [80, 80]) || ~all(isfinite(image(:)))
  error('test failed: the last example makes no image');
end
if norm(back(:) - p.adjoint(p.forward(m))(:)) > 1e-9 * norm(back(:))
  error('test failed: the first example''s arrays are others');
end
disp('done');
